import { Failure } from '../kernel/failure.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Registry } from '../kernel/registry.ts';
import { resultBytes, resultText, type RpcId, type RpcRequest } from './json-rpc.ts';
import { negotiated, STATELESS_REVISIONS, type Era } from './revision.ts';
import { toolList } from './tool-list.ts';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** Results as the revision spoken frames them: since 2026-07-28 each says that it is complete and who answers. */
export interface McpResults {
  /** The whole response to any method but `tools/call`; undefined for a method that the era does not know. */
  method(request: RpcRequest, era: Era, principal: Principal): string | Buffer | undefined;
  /** A CallToolResult around a payload that is JSON text already; it is not serialised again (E012-E016). */
  call(id: RpcId, era: Era, payload: string, isError: boolean, notes: JsonObject | undefined): string;
}

export function mcpResults(ops: Registry, serverInfo: ServerInfo): McpResults {
  const tools = toolList(ops);
  const capabilities = { tools: { listChanged: false } };
  const identity = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  const complete = `,"resultType":"complete","_meta":${JSON.stringify(identity)}}`;
  // What tools are listed depends on who asks, and roles change with the next token: nobody may keep it.
  const uncached = `,"ttlMs":0,"cacheScope":"private"${complete}`;

  function list({ id, params }: RpcRequest, era: Era, admin: boolean): Buffer {
    if (typeof params['cursor'] === 'string' && params['cursor'] !== '')
      throw new Failure('invalid_params', 'tools/list: cursor: the list has one page', { place: 'cursor' });
    return resultBytes(id, '{"tools":', tools(admin, era.revision), era.kind === 'stateless' ? uncached : '}');
  }

  return {
    method(request, era, principal) {
      const { id, method, params } = request;
      if (method === 'tools/list') return list(request, era, principal.admin);
      if (era.kind === 'stateless') {
        if (method !== 'server/discover') return undefined;
        const found = JSON.stringify({ supportedVersions: STATELESS_REVISIONS, capabilities });
        return resultText(id, `${found.slice(0, -1)}${uncached}`);
      }
      if (method === 'ping') return resultText(id, '{}');
      if (method !== 'initialize') return undefined;
      const protocolVersion = negotiated(params['protocolVersion']);
      return resultText(id, JSON.stringify({ protocolVersion, capabilities, serverInfo }));
    },
    call(id, era, payload, isError, notes) {
      const content = `{"content":[{"type":"text","text":${JSON.stringify(payload)}}]`;
      const result = `${content},"structuredContent":${payload},"isError":${isError}`;
      if (era.kind === 'handshake')
        return resultText(id, notes ? `${result},"_meta":${JSON.stringify(notes)}}` : `${result}}`);
      if (!notes) return resultText(id, `${result}${complete}`);
      return resultText(id, `${result},"resultType":"complete","_meta":${JSON.stringify({ ...notes, ...identity })}}`);
    },
  };
}
