// The frame around every page: navigation, search, workspace and account.
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useMe } from '#api/session.ts'
import { signOut } from '#pages/account/sign-out.ts'
import { useIsCovered } from '#state/covered-frame.ts'
import { IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Toasts } from '#ui/feedback/toast.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import { AwayNotice, SignedOut } from './connection-notices.tsx'
import { FrameMenu } from './frame-menu.tsx'
import { visibleNavigation } from './navigation.ts'
import { useNavigationBadges } from './navigation-badges.ts'
import { chooseLanguage, chooseTheme, chosenTheme, type Theme } from './preferences.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const
const accountPath: string = '/account'
const languageNames = { en: 'English', de: 'Deutsch' } as const

function AccountMenu() {
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

const CommandPalette = onDemand(() => import('./command-palette.tsx'))
const Drawer = onDemand(() => import('./drawer.tsx'))

const isSearchKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)

const NavigationBadge = ({ count }: { readonly count: number }) => {
  const t = useTranslations('shell')
  if (count === 0) return null
  return (
    <span className="ms-auto rounded-full bg-accent px-1.5 text-xs leading-5 text-on-accent tabular-nums">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{t('waiting', { count })}</span>
    </span>
  )
}

function Navigation() {
  const t = useTranslations('shell')
  const locale = useLocale()
  const groups = visibleNavigation(useMe())
  const badges = useNavigationBadges()
  return (
    <nav aria-label={t('mainNavigation')} className="grid gap-5">
      {groups.map(group => (
        <ul key={group[0]?.id} className="grid gap-0.5">
          {group.map(({ id, to, icon, name }) => (
            <li key={id}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="flex min-h-8 items-center gap-2.5 rounded-lg px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
              >
                <Icon name={icon} size={17} />
                {name[locale]}
                <NavigationBadge count={badges[id] ?? 0} />
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

const Sidebar = ({ onSearch }: { readonly onSearch: () => void }) => {
  const t = useTranslations('shell')
  return (
    <div className="flex h-full flex-col gap-5 overflow-y-auto p-3">
      <WorkspaceMenu />
      <button
        type="button"
        onClick={onSearch}
        className="flex min-h-9 items-center gap-2 rounded-lg border border-line bg-card px-2.5 text-muted hover:border-edge"
      >
        <Icon name="search" />
        <span className="flex-1 text-start">{t('search')}</span>
        <kbd className="rounded border border-line px-1.5 font-sans text-xs">
          {/Mac|iPhone/.test(navigator.platform) ? '⌘' : 'Ctrl'} K
        </kbd>
      </button>
      <Navigation />
      <div className="mt-auto">
        <AccountMenu />
      </div>
    </div>
  )
}

export function Shell() {
  const t = useTranslations('shell')
  const [isSearching, setSearching] = useState(false)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isCovered = useIsCovered()
  const path = useRouterState({ select: state => state.location.pathname })
  useEffect(() => setDrawerOpen(false), [path])
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      setSearching(isOpen => !isOpen)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  const search = () => {
    setDrawerOpen(false)
    setSearching(true)
  }
  return (
    <div className="flex min-h-dvh">
      <a
        inert={isCovered}
        href="#content"
        className="sr-only z-50 rounded-lg bg-card p-3 focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
      >
        {t('skip')}
      </a>
      <aside
        inert={isCovered}
        className="sticky top-0 hidden h-dvh w-60 shrink-0 border-e border-line lg:block"
      >
        <Sidebar onSearch={search} />
      </aside>
      {isDrawerOpen && (
        <Drawer onClose={() => setDrawerOpen(false)}>
          <Sidebar onSearch={search} />
        </Drawer>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header
          inert={isCovered}
          className="sticky top-0 z-30 flex items-center gap-1 border-b border-line bg-paper/90 px-2 py-1.5 backdrop-blur lg:hidden"
        >
          <IconButton icon="menu" label={t('openMenu')} onPress={() => setDrawerOpen(true)} />
          <span className="flex-1 truncate font-semibold">{t('product')}</span>
          <IconButton icon="search" label={t('search')} onPress={search} />
        </header>
        <AwayNotice />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      {isSearching && <CommandPalette onClose={() => setSearching(false)} />}
      <SignedOut />
      <Toasts />
    </div>
  )
}
