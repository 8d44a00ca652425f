/** Where rules are proposed and decided about, and with which tokens. */
export interface ApprovalNotice {
  readonly publicUrl: string;
  readonly approvalToken: string;
  readonly apiToken: string;
  /** The rules of the demo are there. */
  readonly demo: boolean;
}

export interface WelcomeAbout {
  readonly url: string;
  readonly dataDir: string;
  /** Bearer of agents. */
  readonly token: string;
  readonly demo: boolean;
  /** What answers by meaning. */
  readonly meaning: string;
  /** On a server with rules. */
  readonly approval?: ApprovalNotice;
}

/** What `cairn dev` tells the person who started it. */
export function welcome(about: WelcomeAbout): string {
  const mcp = `${about.url}/mcp`;
  const client = { type: 'http', url: mcp, headers: { Authorization: `Bearer ${about.token}` } };
  return `
Cairn is running.

  MCP address   ${mcp}
  Bearer token  ${about.token}
  Data folder   ${about.dataDir}

${capital(about.meaning)}.
${about.approval ? deciding(about.approval) : ''}
Connect Claude Code:

  claude mcp add --transport http cairn ${mcp} --header "Authorization: Bearer ${about.token}"

Connect VS Code, in .vscode/mcp.json (Cursor: the same under "mcpServers" in .cursor/mcp.json):

  ${JSON.stringify({ servers: { cairn: client } })}

Try first:
${tries(about)
  .map(line => `  - ${line}`)
  .join('\n')}

Stop with Ctrl-C.
`;
}

const capital = (line: string): string => line.charAt(0).toUpperCase() + line.slice(1);

/** A token that decides is for a person alone: it is not printed next to what is pasted into clients. */
const deciding = ({ publicUrl, approvalToken, apiToken }: ApprovalNotice): string => `
Agents propose rules, you decide about them in a browser:

  Approval      ${publicUrl}/approval
  Your token    ${approvalToken}   (yours alone: no agent may have it)

Mails and meetings come in over ${publicUrl}/v1/sources, with the bearer ${apiToken}
`;

function tries({ demo, approval }: WelcomeAbout): string[] {
  if (!demo) return ['"Which skills are there?"', '"Write a page about …, then find it again."'];
  return [
    '"Which skills are there, and what is each for?"',
    '"Search for the label sensor fault and follow the links: which decision came of it?"',
    '"Write a short meeting page that links the customer, then search for it."',
    ...(approval?.demo
      ? [
          '"Search the rules of vertrieb: who gets a retrofit kit for nothing, and since when?"',
          `In the browser: read technik-0009, which would replace a rule, in its source, and decide`,
        ]
      : []),
  ];
}
