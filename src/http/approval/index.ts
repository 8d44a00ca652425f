export type { Approver, SignIn } from './ports.ts';
export { approvalRoutes, type ApprovalSettings } from './routes.ts';
