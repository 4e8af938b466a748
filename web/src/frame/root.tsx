// The session, the language and the frame, before any page.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RouterProvider } from 'react-aria-components'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { IntlProvider } from 'use-intl'
import { queryClient } from '#api/client.ts'
import { meQuery } from '#api/session.ts'
import { nameFieldsAgain } from '#api/smart-fields.ts'
import { setPageLanguage } from '#records/area-part.tsx'
import type { Messages } from '#texts/messages.ts'
import { chosenLanguage } from './preferences.ts'
import { Shell } from './shell.tsx'

const shellTexts = {
  en: () => import('#texts/shell.en.json'),
  de: () => import('#texts/shell.de.json'),
}

async function loadFrame() {
  const { account } = await queryClient.fetchQuery(meQuery)
  const language = chosenLanguage(account.locale)
  setPageLanguage(language)
  document.documentElement.lang = language
  nameFieldsAgain()
  const { default: shell } = await shellTexts[language]()
  return { language, messages: { shell } as unknown as Messages }
}

export const frameQuery = {
  queryKey: ['frame'],
  queryFn: loadFrame,
  staleTime: Number.POSITIVE_INFINITY,
} as const

export function Root() {
  const { language, messages } = useSuspenseQuery(frameQuery).data
  const me = useSuspenseQuery(meQuery).data
  const navigate = useNavigate()
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <I18nProvider locale={language === 'de' ? 'de-DE' : 'en-US'}>
      <RouterProvider navigate={to => void navigate({ to })}>
        <IntlProvider locale={language} messages={messages} timeZone={me.workspace.time_zone || browserZone}>
          <Shell />
        </IntlProvider>
      </RouterProvider>
    </I18nProvider>
  )
}
