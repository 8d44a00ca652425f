/** Where a person decides about a rule. */
export const approvalUrl = (publicUrl: string, ruleId: string): string => `${publicUrl}/approval/rules/${ruleId}`;
