// The frame of every page of the settings: the list of pages beside or above it.
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Scope } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { EmptyState, Page, Skeleton } from '#ui/layout/page.tsx'
import { TabLinks } from '#ui/layout/tabs.tsx'

/** The pages of the settings, and what the API must allow for each. */
const settingSections = [
  { id: 'workspace', needs: 'workspace:read', icon: 'building-2' },
  { id: 'brand', needs: 'workspace:read', icon: 'palette' },
  { id: 'members', needs: 'members:read', icon: 'users' },
  { id: 'sign-in', needs: 'workspace:write', icon: 'shield-check' },
  { id: 'keys', needs: 'api_keys:read', icon: 'key' },
  { id: 'webhooks', needs: 'webhooks:read', icon: 'webhook' },
  { id: 'audit', needs: 'audit_log:read', icon: 'history' },
  { id: 'billing', needs: 'financial_documents:read', icon: 'receipt' },
] as const satisfies readonly { readonly id: string; readonly needs: Scope; readonly icon: IconName }[]

type SettingSection = (typeof settingSections)[number]['id']

interface SettingsFrameProps {
  readonly section: SettingSection
  readonly actions?: ReactNode
  readonly children: ReactNode
}

function SectionLinks() {
  const t = useTranslations('settings')
  const can = useCan()
  const sections = settingSections.filter(({ needs }) => can(needs))
  const tabs = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On phones the tab of this page can be outside of the strip.
    const active = tabs.current?.querySelector('[data-status=active]')
    active?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  return (
    <>
      <nav aria-label={t('title')} className="sticky top-0 hidden self-start ps-8 pt-9 xl:block">
        <p className="mb-3 px-2.5 text-xs font-medium text-muted">{t('title')}</p>
        <ul className="grid gap-0.5">
          {sections.map(({ id, icon }) => (
            <li key={id}>
              <Link
                to={`/settings/${id}` as string}
                activeOptions={{ includeSearch: false }}
                className="flex min-h-8 items-center gap-2.5 rounded-lg px-2.5 text-muted hover:bg-sunken hover:text-ink data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-ink"
              >
                <Icon name={icon} />
                {t(`sections.${id}.title`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div ref={tabs} className="px-4 pt-4 sm:px-8 xl:hidden [&>nav]:mb-0">
        <TabLinks
          label={t('title')}
          links={sections.map(({ id }) => ({ to: `/settings/${id}`, label: t(`sections.${id}.title`) }))}
        />
      </div>
    </>
  )
}

export function SettingsFrame({ section, actions, children }: SettingsFrameProps) {
  const t = useTranslations('settings')
  const shell = useTranslations('shell')
  const can = useCan()
  const needs = settingSections.find(({ id }) => id === section)?.needs
  const mayRead = needs !== undefined && can(needs)
  return (
    <div className="mx-auto w-full max-w-7xl xl:grid xl:grid-cols-[13.5rem_minmax(0,1fr)]">
      <SectionLinks />
      <Page
        title={t(`sections.${section}.title`)}
        about={t(`sections.${section}.about`)}
        actions={mayRead && actions}
      >
        {mayRead ? (
          <Suspense fallback={<Skeleton lines={6} />}>{children}</Suspense>
        ) : (
          <EmptyState icon="lock" title={shell('noAccessTitle')}>
            {shell('noAccessText')}
          </EmptyState>
        )}
      </Page>
    </div>
  )
}
