import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'

import { useMe } from '#api/session.ts'
import { signOut } from '#pages/account/sign-out.ts'

import { Avatar } from '#ui/picture/avatar.tsx'
import { FrameMenu } from './frame-menu.tsx'
import { chooseLanguage, chooseTheme, chosenTheme, type Theme } from './preferences.ts'

const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const
const accountPath: string = '/account'
const languageNames = { en: 'English', de: 'Deutsch' } as const

export function AccountMenu() {
  const t = useTranslations('shell')
  const locale = useLocale()
  const navigate = useNavigate()
  const { account, member } = useMe()
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  return (
    <FrameMenu
      label={t('account')}
      className="flex w-full items-center gap-2.5 rounded-xl p-1.5 hover:bg-sunken"
      entries={[
        {
          id: 'account',
          label: t('account'),
          icon: 'user',
          hint: account.email,
          onAction: () => void navigate({ to: accountPath }),
        },
        {
          id: 'guides',
          label: t('guides'),
          icon: 'book-open',
          onAction: () => location.assign('/docs/guides'),
        },
        { id: 'api', label: t('apiReference'), icon: 'command', onAction: () => location.assign('/docs') },
        ...(['system', 'light', 'dark'] as const).map((each, index) => ({
          id: `theme-${each}`,
          label: t(themeTexts[each]),
          icon: themeIcons[each],
          isChosen: each === theme,
          beginsGroup: index === 0,
          onAction: () => choose(each),
        })),
        ...(['en', 'de'] as const).map((each, index) => ({
          id: `language-${each}`,
          label: languageNames[each],
          icon: 'languages' as const,
          isChosen: each === locale,
          beginsGroup: index === 0,
          onAction: () => void chooseLanguage(each),
        })),
        {
          id: 'sign-out',
          label: t('signOut'),
          icon: 'log-out',
          beginsGroup: true,
          onAction: () => void signOut(),
        },
      ]}
    >
      <Avatar name={account.name} />
      <span className="min-w-0 flex-1 text-start">
        <span className="block truncate font-medium">{account.name}</span>
        <span className="block truncate text-xs text-muted">{t(`roles.${member.role}`)}</span>
      </span>
    </FrameMenu>
  )
}
