import type { TenantGate } from '../auth/ports.ts';
import { Failure } from '../kernel/failure.ts';

/** Why nobody but admins is served at the moment (E057, E060). */
export async function suspension(tenants: TenantGate): Promise<Failure | undefined> {
  if ((await tenants.read()).status === 'active') return undefined;
  return new Failure('tenant_suspended', 'the tenant is suspended; an admin can resume it');
}
