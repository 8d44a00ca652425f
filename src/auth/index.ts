export { allows, decide, effectiveGroups, type Ruling } from './access.ts';
export { aclOf, SHIPPED_ACL, tenantDefault, type PageRules } from './acl.ts';
export { devTokenVerifier, type DevTokens } from './dev-token.ts';
export { oidcVerifier } from './oidc.ts';
export type { OidcOptions, TrustedIssuer } from './oidc/verifier.ts';
export { openVerifier } from './open.ts';
export { instanceKey, ownerKey, subjectKey } from './owner.ts';
export { createQuotas, type Debit, type QuotaDimension, type QuotaRemaining, type Quotas } from './quota.ts';
