/** What `cairn dev` tells the person who started it. */
export function welcome(about: { url: string; dataDir: string; token: string; demo: boolean }): string {
  const mcp = `${about.url}/mcp`;
  const client = { type: 'http', url: mcp, headers: { Authorization: `Bearer ${about.token}` } };
  return `
Cairn is running.

  MCP address   ${mcp}
  Bearer token  ${about.token}
  Data folder   ${about.dataDir}

Connect Claude Code:

  claude mcp add --transport http cairn ${mcp} --header "Authorization: Bearer ${about.token}"

Connect VS Code, in .vscode/mcp.json (Cursor: the same under "mcpServers" in .cursor/mcp.json):

  ${JSON.stringify({ servers: { cairn: client } })}

Try first:
${tries(about.demo)
  .map(line => `  - ${line}`)
  .join('\n')}

Stop with Ctrl-C.
`;
}

function tries(demo: boolean): string[] {
  if (!demo) return ['"Which skills are there?"', '"Write a page about …, then find it again."'];
  return [
    '"Which skills are there, and what is each for?"',
    '"Search for the label sensor fault and follow the links: which decision came of it?"',
    '"Write a short meeting page that links the customer, then search for it."',
  ];
}
