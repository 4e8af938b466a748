// The pages of the add-in in a real browser: the files of the service with their policies, the stand-in instead of
// Office.js, and answers of the service that the test decides.
import { join } from 'node:path'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { build } from 'rolldown'
import type {
  AddIn,
  AddInExplanation,
  AddInSettings,
  ServedFileName,
  SignatureAnswer,
} from '../../build/index.ts'
import type { MailSetup } from './mail.ts'
import type { OfficeSetup } from './office.ts'

const base = 'https://sign.example/outlook/token'
const officeAddress = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js'

let standIn: Promise<string> | undefined

async function bundledStandIn(): Promise<string> {
  const input = join(import.meta.dirname, 'page-office.ts')
  const { output } = await build({ input, write: false, output: { format: 'iife' } })
  return output[0].code
}

export interface AddInPageSetup extends MailSetup, OfficeSetup {
  readonly answer: SignatureAnswer | number | 'away'
  readonly explanation?: AddInExplanation | number | 'away'
  readonly settings?: Partial<AddInSettings>
  /** The token that Outlook gives to nested apps. */
  readonly token?: string
}

export interface OpenedPage {
  readonly page: Page
  /** Requests that the content security policy refused, and errors of scripts. */
  readonly problems: string[]
}

export interface AddInPage extends OpenedPage {
  /** Requests of the scripts, with their bearer. */
  readonly requests: string[]
}

function answerWith(route: Route, data: object | number | 'away'): Promise<void> {
  if (data === 'away') return route.abort('connectionrefused')
  const [status, json] = typeof data === 'number' ? [data, { error: {} }] : [200, { data }]
  return route.fulfill({ status, json })
}

type PageName = 'launch.html' | 'taskpane.html'

/** Loads a page of the add-in below an address of the service, with the stand-in instead of Office.js. */
export async function openBesideOffice(
  context: BrowserContext,
  address: string,
  name: PageName,
  setup: MailSetup & OfficeSetup & Pick<AddInPageSetup, 'token'>,
): Promise<OpenedPage> {
  standIn ??= bundledStandIn()
  const body = await standIn
  await context.route(officeAddress, route => route.fulfill({ body, contentType: 'text/javascript' }))
  const page = await context.newPage()
  await page.addInitScript(standInSetup => void Object.assign(globalThis, { standInSetup }), {
    ...setup,
    isPane: name === 'taskpane.html',
  })
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => {
    // A refused connection is an error of the console too: it is the subject of tests.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      problems.push(message.text())
  })
  await page.goto(`${address}/${name}`)
  return { page, problems }
}

/** Loads one of the pages. `context` is closed by the test. */
export async function openAddInPage(
  context: BrowserContext,
  addIn: AddIn,
  name: PageName,
  { answer, explanation = 404, settings = {}, ...standInSetup }: AddInPageSetup,
): Promise<AddInPage> {
  const requests: string[] = []
  await context.route(`${base}/**`, async route => {
    const { pathname, search } = new URL(route.request().url())
    const file = pathname.slice(new URL(base).pathname.length + 1)
    if (file.includes('.')) {
      const { body, headers } = addIn.file(file as ServedFileName, { base, auth: 'token', ...settings })
      return route.fulfill({ body, headers })
    }
    requests.push(`${file}${search} ${route.request().headers().authorization ?? ''}`.trim())
    if (file === 'trouble') return route.fulfill({ status: 204 })
    return answerWith(route, file === 'signature' ? answer : explanation)
  })
  return { ...(await openBesideOffice(context, base, name, standInSetup)), requests }
}

/** Raises an event in the page, and waits until it is completed. Returns what is in the mail, and forbidden calls. */
export const raiseIn = (
  page: Page,
  event: string,
): Promise<{ signatures: readonly string[]; breaches: string[] }> =>
  page.evaluate(async name => {
    const { standIn } = globalThis as unknown as { standIn: import('./office.ts').StandInOffice }
    await standIn.raise(name)
    return { signatures: standIn.mail.signatures, breaches: standIn.breaches }
  }, event)
