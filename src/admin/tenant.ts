import type { Quotas } from '../auth/index.ts';
import type { TenantSettings, TenantStore } from '../auth/ports.ts';
import { UNTOUCHED_TENANT } from '../auth/schema.ts';
import { Failure } from '../kernel/failure.ts';
import type { TenantSpec } from './schema.ts';

type TenantPatch = { readonly [key in keyof TenantSettings]?: TenantSettings[key] | undefined };

/** The one served tenant. */
export interface Tenant {
  readonly id: string;
  /** True while only admins are served (E057-E060). Cheap: asked for every call. */
  suspended(): boolean;
  spec(): TenantSpec;
  /** Names the tenant when it has no name of its own, durably; otherwise changes nothing. */
  create(displayName: string): Promise<TenantSpec>;
  /**
   * Changes what the patch names, durably and then at once (E671). Quotas replace earlier overrides and fill the buckets
   * (E085). Answers whether the vectors have to be made anew.
   */
  update(patch: TenantPatch): Promise<{ spec: TenantSpec; rebuild_required: boolean }>;
  /** Goes back to what a tenant is that nobody has set anything for, durably and then at once. */
  forget(): Promise<void>;
}

/** Reads the stored settings and puts their quotas into force. Only this object may write to the store. */
export async function openTenant(deps: { id: string; store: TenantStore; quotas: Quotas }): Promise<Tenant> {
  const { id, store, quotas } = deps;
  let settings = await store.read();
  let last: Promise<unknown> = Promise.resolve();
  quotas.setLimits(id, settings.quotas);

  function spec(): TenantSpec {
    const { display_name, status, quotas: overrides, embedding_provider } = settings;
    return {
      tenant_id: id,
      display_name: display_name || id,
      status,
      ...(Object.keys(overrides).length > 0 ? { quotas: overrides } : {}),
      ...(embedding_provider === undefined ? {} : { embedding_provider }),
    };
  }

  async function apply(patch: TenantPatch): Promise<{ spec: TenantSpec; rebuild_required: boolean }> {
    const before = settings;
    const next = patched(before, patch);
    await store.write(next);
    settings = next;
    if (patch.quotas !== undefined) quotas.setLimits(id, next.quotas);
    return { spec: spec(), rebuild_required: next.embedding_provider !== before.embedding_provider };
  }

  /** One after the other: each reads what the one before has written. */
  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = last.then(change);
    last = done.catch(() => {});
    return done;
  }

  return {
    id,
    suspended: () => settings.status === 'suspended',
    spec,
    create: displayName =>
      inTurn(async () => {
        const named = displayName === '' || settings.display_name !== '';
        return named ? spec() : (await apply({ display_name: displayName })).spec;
      }),
    update: patch => inTurn(() => apply(patch)),
    forget: () =>
      inTurn(async () => {
        await store.write(UNTOUCHED_TENANT);
        settings = UNTOUCHED_TENANT;
        quotas.setLimits(id, settings.quotas);
      }),
  };
}

/** `failed_precondition` when an argument names another tenant than the served one; empty means the served one (E083, E093). */
export function refuseForeign(tool: string, served: string, named: string): void {
  if (named === '' || named === served) return;
  throw new Failure('failed_precondition', `${tool}: tenant_id: this gateway serves one tenant, and not that one`);
}

function patched(before: TenantSettings, patch: TenantPatch): TenantSettings {
  const provider = patch.embedding_provider ?? before.embedding_provider;
  return {
    display_name: patch.display_name ?? before.display_name,
    status: patch.status ?? before.status,
    quotas: patch.quotas ?? before.quotas,
    ...(provider !== undefined && { embedding_provider: provider }),
  };
}
