export { calendarIn, type Calendar } from './calendar.ts';
export { createRuleCall, type RuleAnswer, type RuleCall, type RuleCallParts, type RuleCaller } from './call.ts';
export { withRuleDeps, type BoundRuleOp, type CallerGrant, type Channel } from './rule-op.ts';
export { RULE_INSTRUCTIONS } from './instructions.ts';
export { duplicates } from './search/duplicates.ts';
