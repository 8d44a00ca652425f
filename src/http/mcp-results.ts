import { Failure } from '../kernel/failure.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Registry } from '../kernel/registry.ts';
import { resultAround, resultText, type RpcId, type RpcRequest } from './json-rpc.ts';
import type { Body, Octets } from './octets.ts';
import { negotiated, STATELESS_REVISIONS, type Era } from './revision.ts';
import { toolList, type ToolViewer } from './tool-list.ts';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** Results as the revision spoken frames them: since 2026-07-28 each says that it is complete and who answers. */
export interface McpResults {
  /** The whole response to any method but `tools/call`; undefined for a method that the era does not know. */
  method(request: RpcRequest, era: Era, viewer: ToolViewer): Body | undefined;
  /** A CallToolResult (E012-E016). */
  call(id: RpcId, era: Era, result: CallResult): Body;
}

interface CallResult {
  /** What follows `{"content":`: the content, and after it what is structured. */
  readonly content: Body;
  readonly isError: boolean;
  readonly notes: JsonObject | undefined;
}

/** `ruleInstructions`: what callers who see the tools of the rules surface are told about them. */
export function mcpResults(ops: Registry, serverInfo: ServerInfo, ruleInstructions: string | undefined): McpResults {
  const tools = toolList(ops);
  const capabilities = { tools: { listChanged: false } };
  const identity = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  const complete = `,"resultType":"complete","_meta":${JSON.stringify(identity)}}`;
  // What tools are listed depends on who asks, and roles change with the next token: nobody may keep it.
  const uncached = `,"ttlMs":0,"cacheScope":"private"${complete}`;

  const instructed = ({ rules }: ToolViewer): object =>
    rules && ruleInstructions !== undefined ? { instructions: ruleInstructions } : {};

  function list({ id, params }: RpcRequest, era: Era, viewer: ToolViewer): Octets {
    if (typeof params['cursor'] === 'string' && params['cursor'] !== '')
      throw new Failure('invalid_params', 'tools/list: cursor: the list has one page', { place: 'cursor' });
    return resultAround(id, '{"tools":', tools(viewer, era.revision), era.kind === 'stateless' ? uncached : '}');
  }

  function ending(era: Era, notes: JsonObject | undefined): string {
    if (era.kind === 'handshake') return notes ? `,"_meta":${JSON.stringify(notes)}}` : '}';
    return notes ? `,"resultType":"complete","_meta":${JSON.stringify({ ...notes, ...identity })}}` : complete;
  }

  return {
    method(request, era, viewer) {
      const { id, method, params } = request;
      if (method === 'tools/list') return list(request, era, viewer);
      if (era.kind === 'stateless') {
        if (method !== 'server/discover') return undefined;
        const found = JSON.stringify({ supportedVersions: STATELESS_REVISIONS, capabilities, ...instructed(viewer) });
        return resultText(id, `${found.slice(0, -1)}${uncached}`);
      }
      if (method === 'ping') return resultText(id, '{}');
      if (method !== 'initialize') return undefined;
      const protocolVersion = negotiated(params['protocolVersion']);
      return resultText(id, JSON.stringify({ protocolVersion, capabilities, serverInfo, ...instructed(viewer) }));
    },
    call(id, era, { content, isError, notes }) {
      const rest = `,"isError":${isError}${ending(era, notes)}`;
      return typeof content === 'string'
        ? resultText(id, `{"content":${content}${rest}`)
        : resultAround(id, '{"content":', content, rest);
    },
  };
}
