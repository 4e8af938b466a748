// Parts of pages that are loaded when they are first shown, together with the texts of their areas.
import type { ComponentType, ReactNode } from 'react'
import { type AbstractIntlMessages, IntlProvider, useLocale, useMessages, useTimeZone } from 'use-intl'
import type { Language } from '#texts/languages.ts'
import type { Messages } from '#texts/messages.ts'
import { onDemand } from '#ui/base/on-demand.tsx'
import type { AreaId } from './area.ts'

const catalogues = import.meta.glob<{ default: AbstractIntlMessages }>([
  '../pages/*/texts.*.json',
  '../records/*/texts.*.json',
  '../editor/texts.*.json',
])

/** The code of the first page is loaded before the language of the account is known; its texts wait for it. */
let setLanguage: (chosen: Language) => void = () => undefined
let pageLanguage = new Promise<Language>(resolve => {
  setLanguage = resolve
})

export function setPageLanguage(chosen: Language): void {
  setLanguage(chosen)
  pageLanguage = Promise.resolve(chosen)
}

async function loadTexts(area: AreaId): Promise<readonly [AreaId, AbstractIntlMessages]> {
  const language = await pageLanguage
  const folders = [`../pages/${area}`, `./${area}`, `../records/${area}`, `../${area}`]
  const load = folders.map(folder => catalogues[`${folder}/texts.${language}.json`]).find(Boolean)
  if (!load) throw new Error(`There are no texts for ${area} in ${language}.`)
  return [area, (await load()).default]
}

export const loadAllTexts = async (areas: readonly AreaId[]): Promise<AbstractIntlMessages> =>
  Object.fromEntries(await Promise.all(areas.map(loadTexts)))

export function AreaTexts({
  texts,
  children,
}: {
  readonly texts: AbstractIntlMessages
  readonly children: ReactNode
}) {
  const [locale, timeZone, messages] = [useLocale(), useTimeZone(), useMessages()]
  return (
    <IntlProvider
      locale={locale}
      {...(timeZone !== undefined && { timeZone })}
      messages={{ ...messages, ...texts } as Messages}
    >
      {children}
    </IntlProvider>
  )
}

/** A part of a page that uses texts of other areas than the page. Both are loaded when it is first shown. */
export const areaPart = <Props extends object>(
  areas: readonly AreaId[],
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  fallback?: ReactNode,
) =>
  onDemand<Props>(async () => {
    const [{ default: Part }, texts] = await Promise.all([load(), loadAllTexts(areas)])
    return {
      default: props => (
        <AreaTexts texts={texts}>
          <Part {...props} />
        </AreaTexts>
      ),
    }
  }, fallback)
