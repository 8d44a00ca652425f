export { fileOfPage, PAGE_FOLDERS, pageOfFile } from './page-file.ts';
