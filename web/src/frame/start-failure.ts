// What people see when the dashboard cannot begin: the service is away, or has a fault. No texts are loaded yet.
import { isReachable } from '#state/connection-state.ts'

const texts = {
  en: {
    title: 'Can’t reach Signoff right now',
    text: 'This page opens by itself as soon as Signoff answers. Nothing you saved is lost.',
    fault: 'Something went wrong. Try again in a moment. If it keeps happening, tell your administrator.',
    reload: 'Reload',
  },
  de: {
    title: 'Signoff ist gerade nicht erreichbar',
    text: 'Die Seite öffnet sich von selbst, sobald Signoff wieder antwortet. Nichts Gespeichertes geht verloren.',
    fault:
      'Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal. Wenn es wieder geschieht, sagen Sie es Ihrem Admin.',
    reload: 'Neu laden',
  },
} as const

const element = (name: string, text: string, className: string): HTMLElement =>
  Object.assign(document.createElement(name), { textContent: text, className })

/** Loads the page anew as soon as the service answers; one that answers has a fault, so the person decides. */
export async function showStartFailure(): Promise<void> {
  const words = navigator.language.startsWith('de') ? texts.de : texts.en
  const isFault = await isReachable()
  const page = element('main', '', 'grid min-h-dvh place-content-center gap-2 p-6 text-center')
  page.append(
    element('h1', words.title, 'text-lg font-semibold'),
    element('p', isFault ? words.fault : words.text, 'max-w-md text-muted'),
  )
  document.body.append(page)
  if (isFault) {
    const reload = element(
      'button',
      words.reload,
      'mx-auto rounded-lg border border-line bg-card px-3 py-1.5',
    )
    reload.addEventListener('click', () => location.reload())
    page.append(reload)
    return
  }
  while (!(await isReachable())) await new Promise(resolve => setTimeout(resolve, 3_000))
  location.reload()
}
