/** Every request that commands make of the operator's socket; `:id` is filled in. */
export const OPS_ROUTES = {
  status: { method: 'GET', path: '/ops/status' },
  listGrants: { method: 'GET', path: '/ops/grants' },
  addGrant: { method: 'POST', path: '/ops/grants' },
  renameGrant: { method: 'POST', path: '/ops/grants/:id/rename' },
  disableGrant: { method: 'POST', path: '/ops/grants/:id/disable' },
  createScope: { method: 'POST', path: '/ops/scopes' },
} as const;
export type OpsRoute = keyof typeof OPS_ROUTES;
