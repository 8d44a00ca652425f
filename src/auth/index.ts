export { allows, decide, effectiveGroups, type Ruling } from './access.ts';
export { aclOf, SHIPPED_ACL, tenantDefault } from './acl.ts';
export { devTokenVerifier, type DevTokens } from './dev-token.ts';
export { oidcVerifier } from './oidc.ts';
export type { OidcOptions } from './oidc/verifier.ts';
export { openVerifier } from './open.ts';
export { instanceKey, ownerKey, subjectKey } from './owner.ts';
export { createQuotas, type Debit, type QuotaDimension, type Quotas } from './quota.ts';
