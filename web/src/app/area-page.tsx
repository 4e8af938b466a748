// Pages are loaded when they are opened, together with the texts of their areas.
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { type AbstractIntlMessages, IntlProvider, useLocale, useMessages, useTimeZone } from 'use-intl'
import type { Scope } from '../api/client.ts'
import { useCan } from '../api/session.tsx'
import type { Language, Messages } from '../texts/messages.ts'
import { onDemand } from '../ui/on-demand.tsx'
import { NoAccessPage } from './failures.tsx'

export type Area = Exclude<keyof Messages, 'shell'>

const catalogues = import.meta.glob<{ default: AbstractIntlMessages }>('../pages/*/texts.*.json')

/** The code of the first page is loaded before the language of the account is known; its texts wait for it. */
let setLanguage: (chosen: Language) => void = () => undefined
let pageLanguage = new Promise<Language>(resolve => {
  setLanguage = resolve
})

export function setPageLanguage(chosen: Language): void {
  setLanguage(chosen)
  pageLanguage = Promise.resolve(chosen)
}

async function loadTexts(area: Area): Promise<readonly [Area, AbstractIntlMessages]> {
  const language = await pageLanguage
  const load = catalogues[`../pages/${area}/texts.${language}.json`]
  if (!load) throw new Error(`There are no texts for ${area} in ${language}.`)
  return [area, (await load()).default]
}

const loadAllTexts = async (areas: readonly Area[]): Promise<AbstractIntlMessages> =>
  Object.fromEntries(await Promise.all(areas.map(loadTexts)))

function AreaTexts({
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

function ScopeGate({ needs, children }: { readonly needs: Scope | undefined; readonly children: ReactNode }) {
  const can = useCan()
  return needs === undefined || can(needs) ? children : <NoAccessPage />
}

/**
 * A page that uses the texts of these areas, the first of which is its own. `needs` is the scope without which the page
 * has nothing to show.
 */
export const areaPage = (
  areas: readonly Area[],
  load: () => Promise<{ readonly default: ComponentType }>,
  needs?: Scope,
) =>
  lazyRouteComponent(async () => {
    const [{ default: PageContent }, texts] = await Promise.all([load(), loadAllTexts(areas)])
    return {
      default: () => (
        <AreaTexts texts={texts}>
          <ScopeGate needs={needs}>
            <PageContent />
          </ScopeGate>
        </AreaTexts>
      ),
    }
  })

/** A part of a page that uses texts of other areas than the page. Both are loaded when it is first shown. */
export const areaPart = <Props extends object>(
  areas: readonly Area[],
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
