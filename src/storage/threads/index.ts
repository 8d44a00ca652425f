export { answerQuestions } from './answer-questions.ts';
export { askingThread, type AskingThread } from './asking-thread.ts';
export { type Answered } from './open-questions.ts';
export { readyThread, type FromReadyThread, type ReadyThread, type ToReadyThread } from './ready-thread.ts';
