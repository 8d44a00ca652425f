export { openTenant, type Tenant } from './tenant.ts';
