import { DEV, ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';

/** A server of its own with the fixed tokens and roomy quotas, an admin's client and an agent's. */
export async function startRoomy(): Promise<{ cairn: Cairn; admin: Client; agent: Client }> {
  const cairn = await startCairn(DEV, ROOMY);
  return {
    cairn,
    admin: client(cairn.origin, DEV.CAIRN_DEV_ADMIN_TOKEN),
    agent: client(cairn.origin, DEV.CAIRN_DEV_MCP_TOKEN),
  };
}
