export type ModelRefusalCode =
  | 'model-missing'
  | 'model-damaged'
  | 'model-unusable'
  | 'model-runtime-missing'
  | 'model-download-failed'
  | 'model-name-taken';

/** Why a model cannot be had. The command line prints `code: message`. */
export class ModelRefusal extends Error {
  readonly code: ModelRefusalCode;

  constructor(code: ModelRefusalCode, message: string) {
    super(message);
    this.name = 'ModelRefusal';
    this.code = code;
  }
}
