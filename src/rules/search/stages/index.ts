export type { LaterStages, RuleVectors } from './ports.ts';
export { rerankingStage } from './reranking.ts';
export { semanticStage } from './semantic.ts';
