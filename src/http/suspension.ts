import type { TenantGate } from '../auth/ports.ts';
import { Failure } from '../kernel/failure.ts';

/** Why nobody but admins is served at the moment (E057, E060). */
export function suspension(tenants: TenantGate): Failure | undefined {
  if (!tenants.suspended()) return undefined;
  return new Failure('tenant_suspended', 'the tenant is suspended; an admin can resume it');
}
