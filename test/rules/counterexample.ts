import fc from 'fast-check';

/** What breaks a property, in words; undefined when nothing did. */
export const counterexample = async <T>(
  property: fc.IProperty<T> | fc.IAsyncProperty<T>,
  numRuns: number,
): Promise<string | undefined> => fc.defaultReportMessage(await fc.check(property as fc.IRawProperty<T>, { numRuns }));
