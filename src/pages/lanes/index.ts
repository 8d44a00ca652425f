export { fileOfPage, PAGE_FOLDERS, pageOfFile } from './page-file.ts';
export { sameFacts } from './same-facts.ts';
