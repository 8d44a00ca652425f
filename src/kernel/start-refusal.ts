export type StartRefusalCode =
  | 'data-dir-permissions'
  | 'embedder-unavailable'
  | 'ops-socket-unavailable'
  | 'ops-socket-path-too-long'
  | 'seed-folder-unreadable';

/** Why the surroundings of a server do not let it start (rules contract 3). The command line prints `code: message`. */
export class StartRefusal extends Error {
  readonly code: StartRefusalCode;

  constructor(code: StartRefusalCode, message: string) {
    super(message);
    this.name = 'StartRefusal';
    this.code = code;
  }
}
