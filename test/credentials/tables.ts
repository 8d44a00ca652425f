/**
 * Who a credential is, on every surface and in every mode (rules-gaps 11), as the server answers it. `yes`: served; `decides`: may
 * decide; `login`: shown the way to sign in; 401: unauthorized; 403: channel-not-allowed; `tool …`: the result of a tool.
 */
export const TABLES = {
  'dev-token': `
    credential                    | pages | admin          | combined                 | rules | v1  | page  | decision | operator | subject
    nobody                        | 401   | 401            | 401                      | 401   | 401 | login | 401      | 401      | -
    agent token                   | yes   | admin_required | yes                      | yes   | 401 | 401   | 401      | 401      | ann@example.org
    admin token                   | yes   | yes            | tool unauthorized        | 401   | 401 | 401   | 401      | 401      | ann@example.org
    API token                     | 401   | 401            | 401                      | 401   | yes | 401   | 401      | 401      | -
    approval token as bearer      | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    session secret as bearer      | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    operator token                | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | yes      | -
    service                       | yes   | admin_required | tool channel-not-allowed | 403   | yes | 403   | 403      | 401      | service:2
    service, grant disabled       | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    service, no grant             | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    session                       | 401   | 401            | 401                      | 401   | 401 | yes   | decides  | 401      | -
    session as bearer             | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    session of another secret     | 401   | 401            | 401                      | 401   | 401 | login | 401      | 401      | -
    agent token as session        | 401   | 401            | 401                      | 401   | 401 | login | 401      | 401      | -
    Access JWT                    | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    agent token twice             | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    agent and API token           | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    agent token and Access JWT    | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    API token and Access JWT      | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    service and Access JWT        | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    operator token twice          | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    session and agent token       | yes   | admin_required | yes                      | yes   | 401 | 401   | 401      | 401      | ann@example.org
    session and service           | yes   | admin_required | tool channel-not-allowed | 403   | yes | 401   | 401      | 401      | service:2
    session and Access JWT        | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    session twice                 | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
  `,
  oidc: `
    credential                    | pages         | admin          | combined                 | rules         | v1  | page  | decision | operator | subject
    nobody                        | 401           | 401            | 401                      | 401           | 401 | login | 401      | 401      | -
    person                        | yes           | admin_required | yes                      | yes           | yes | 401   | 401      | 401      | ann
    person, admin                 | yes           | yes            | yes                      | yes           | yes | 401   | 401      | 401      | ann
    person, no grant              | yes           | admin_required | tool unauthorized        | 401           | 401 | 401   | 401      | 401      | bob
    person, grant disabled        | yes           | admin_required | tool unauthorized        | 401           | 401 | 401   | 401      | 401      | dan
    person, e-mail unverified     | yes           | admin_required | tool unauthorized        | 401           | 401 | 401   | 401      | 401      | ann
    service by client id          | yes           | admin_required | tool channel-not-allowed | 403           | yes | 401   | 401      | 401      | robot-user
    other tenant                  | 403 forbidden | 403 forbidden  | 403 forbidden            | 403 forbidden | 401 | 401   | 401      | 401      | -
    expired                       | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    of another issuer             | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    for the approval client       | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    operator token                | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | yes      | -
    service                       | yes           | admin_required | tool channel-not-allowed | 403           | yes | 403   | 403      | 401      | service:2
    session                       | 401           | 401            | 401                      | 401           | 401 | yes   | decides  | 401      | -
    session, may not decide       | 401           | 401            | 401                      | 401           | 401 | 403   | 403      | 401      | -
    session, no grant             | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    session, grant disabled       | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    session as bearer             | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    person as Access JWT          | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    person and Access JWT         | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    person and service            | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    person twice                  | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
    session and person            | yes           | admin_required | yes                      | yes           | yes | 401   | 401      | 401      | ann
    session and Access JWT        | 401           | 401            | 401                      | 401           | 401 | 401   | 401      | 401      | -
  `,
  'cloudflare-access': `
    credential                    | pages | admin          | combined                 | rules | v1  | page  | decision | operator | subject
    nobody                        | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    person on mcp                 | yes   | admin_required | yes                      | yes   | 401 | 401   | 401      | 401      | ann@example.org
    person on api                 | 401   | 401            | 401                      | 401   | yes | 401   | 401      | 401      | -
    person on approval            | 401   | 401            | 401                      | 401   | 401 | yes   | decides  | 401      | -
    admin on mcp                  | yes   | yes            | tool unauthorized        | 401   | 401 | 401   | 401      | 401      | root@example.org
    person on mcp, no grant       | yes   | admin_required | tool unauthorized        | 401   | 401 | 401   | 401      | 401      | bob@example.org
    person on api, no grant       | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    person on approval, no grant  | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    service on mcp                | yes   | admin_required | tool channel-not-allowed | 403   | 401 | 401   | 401      | 401      | feeder
    service on api                | 401   | 401            | 401                      | 401   | yes | 401   | 401      | 401      | -
    service on approval           | 401   | 401            | 401                      | 401   | 401 | 403   | 403      | 401      | -
    stranger service on approval  | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    for every channel, as bearer  | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    of another team               | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    operator token                | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | yes      | -
    service bearer                | yes   | admin_required | tool channel-not-allowed | 403   | yes | 403   | 403      | 401      | service:3
    service bearer and JWT        | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    JWT twice                     | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    session                       | 401   | 401            | 401                      | 401   | 401 | 401   | 401      | 401      | -
    person on approval, session   | 401   | 401            | 401                      | 401   | 401 | yes   | decides  | 401      | -
  `,
  open: `
    credential                    | pages | admin | combined         | rules | v1  | page | decision | operator | subject
    nobody                        | yes   | yes   | method_not_found | 404   | 404 | 404  | 404      | ENOENT   | anonymous
    anything                      | yes   | yes   | method_not_found | 404   | 404 | 404  | 404      | ENOENT   | anonymous
    two things                    | yes   | yes   | method_not_found | 404   | 404 | 404  | 404      | ENOENT   | anonymous
  `,
} as const;
export type Mode = keyof typeof TABLES;

export interface TableRow {
  readonly credential: string;
  /** One word a surface, and the subject. */
  readonly answers: readonly string[];
}

/** The rows of a mode; the first line names the columns. */
export function rowsOf(mode: Mode): { readonly columns: readonly string[]; readonly rows: readonly TableRow[] } {
  const [columns = [], ...lines] = TABLES[mode]
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()));
  return { columns, rows: lines.map(([credential = '', ...answers]) => ({ credential, answers })) };
}
