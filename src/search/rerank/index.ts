export { RerankFault, rerankStage, type RerankStage, type RerankStageParts } from './stage.ts';
