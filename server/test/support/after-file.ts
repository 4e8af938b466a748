// Ends what a test file has started. Vitest reads the `afterAll` hooks of a file once, before its first test: a call of
// `afterAll` within a hook or a test is ignored without a message, and the apps, databases and pages of all files would
// live until the end of the run.

const ends: (() => unknown)[] = []

/** Runs the function after the tests of the file. Can be called within hooks and tests. */
export const afterFile = (end: () => unknown): void => void ends.push(end)

/** The last one first: an app ends before the database that it uses. */
export async function endFile(): Promise<void> {
  const errors: unknown[] = []
  for (const end of ends.splice(0).reverse()) {
    try {
      await end()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'something that the test file started does not end')
}
