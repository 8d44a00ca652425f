const GAPS = /[\s_-]+/u;

/** How else people and other tools write an id: lower case with hyphens, underscores or spaces, and as a title (L13, L15). */
export function otherSpellings(slug: string): string[] {
  const words = slug.split(GAPS).filter(word => word !== '');
  const lower = words.map(word => word.toLowerCase());
  const title = words.map(word => word.charAt(0).toUpperCase() + word.slice(1));
  const all = [lower.join('-'), lower.join('_'), lower.join(' '), title.join(' ')];
  return [...new Set(all)].filter(each => each !== '' && each !== slug);
}
