/** `path` as seen from `folder`. */
export function inFolder(folder: string, path: string): string {
  if (/^(\/|[A-Za-z]:[\\/])/.test(path)) return path;
  return `${folder.replace(/[\\/]+$/, '')}/${path.replace(/^(\.\/+)+/, '')}`;
}
