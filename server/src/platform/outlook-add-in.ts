// The files of the Outlook add-in: built once per version, when the first request needs them, and kept in memory.
import { join } from 'node:path'
import { type AddIn, readAddIn } from '@signoff/outlook'
import { type BrowserBuild, findOrBuild, sharedFolder } from '#kernel/base/browser-builds.ts'

const addInBuild: BrowserBuild = {
  name: 'outlook',
  sources: ['outlook/package.json', 'outlook/src', 'outlook/build', 'package-lock.json'],
  program: 'outlook/build/build.ts',
  memory: 250,
}

/** `folders`: where the build can be. */
export const buildAddIn = (folders: readonly string[], signal?: AbortSignal): Promise<string> =>
  findOrBuild(addInBuild, folders, signal)

export class OutlookAddIn {
  #files: Promise<AddIn> | undefined
  readonly #stopping = new AbortController()
  readonly #folders: readonly string[]

  constructor(dataDir: string) {
    this.#folders = [sharedFolder, join(dataDir, 'cache')]
  }

  /** A failed build rejects; the next request tries again. */
  readonly files = (): Promise<AddIn> => {
    this.#files ??= buildAddIn(this.#folders, this.#stopping.signal)
      .then(readAddIn)
      .catch(error => {
        this.#files = undefined
        throw error
      })
    return this.#files
  }

  /** Ends a build that is running. */
  stop(): void {
    this.#stopping.abort()
  }
}
