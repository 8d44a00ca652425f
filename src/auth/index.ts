export { allows, decide, effectiveGroups, type Ruling } from './access.ts';
export { aclOf, SHIPPED_ACL, tenantDefault, type PageRules } from './acl.ts';
export { instanceKey, ownerKey, subjectKey } from './owner.ts';
