// The task pane: "which signature do I get, and why".
import type { TokenSource } from '../launch/answers.ts'
import { element } from './elements.ts'
import { loadState, type PaneMail, readMail } from './state.ts'
import { type PaneLanguage, paneLanguageOf } from './texts.ts'
import { panePartsOf } from './view.ts'

/** Outlook tells its theme where it is known; otherwise the style follows the system. */
function applyTheme(): void {
  const background = Office.context.officeTheme?.bodyBackgroundColor
  if (!background || !/^#[0-9a-f]{6}$/i.test(background)) return
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at =>
    Number.parseInt(background.slice(at, at + 2), 16),
  )
  document.documentElement.dataset.theme = red * 3 + green * 6 + blue < 1_280 ? 'dark' : 'light'
}

class Pane {
  readonly #main: HTMLElement
  readonly #language: PaneLanguage
  readonly #token: TokenSource
  #drawn = ''

  constructor(main: HTMLElement, language: PaneLanguage, token: TokenSource) {
    this.#main = main
    this.#language = language
    this.#token = token
  }

  /** Draws again only when the mail has another sender or other recipients. */
  readonly refresh = async (): Promise<void> => {
    const mail = await readMail()
    const key = JSON.stringify([mail.from, mail.isReply, mail.recipients])
    if (key === this.#drawn) return
    this.#drawn = key
    await this.#draw(mail)
  }

  async #draw(mail: PaneMail): Promise<void> {
    const { texts } = this.#language
    this.#main.setAttribute('aria-busy', 'true')
    const state = await loadState(mail, this.#token)
    this.#main.replaceChildren(
      element('h1', 'title', texts.title),
      ...panePartsOf(state, this.#language, () => void this.#draw(mail)),
    )
    this.#main.removeAttribute('aria-busy')
  }
}

export function startPane(token: TokenSource): void {
  void Office.onReady(() => {
    const main = document.querySelector('main')
    if (!main) return
    const language = paneLanguageOf(Office.context.displayLanguage)
    document.documentElement.lang = language.language
    document.title = language.texts.title
    applyTheme()
    main.replaceChildren(
      element('h1', 'title', language.texts.title),
      element('p', 'loading', language.texts.loading),
    )
    const pane = new Pane(main, language, token)
    void pane.refresh()
    // Outlook tells panes nothing of a changed sender.
    addEventListener('focus', () => void pane.refresh())
    document.documentElement.addEventListener('pointerenter', () => void pane.refresh())
  })
}
