// The frame of a page: heading, cards, empty and broken states.
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '../base/button.tsx'
import { classes } from '../base/classes.ts'
import { Icon, type IconName } from '../base/icon.tsx'

interface PageProps {
  readonly title: string
  readonly about?: ReactNode
  /** The page that this one belongs to: a link above the heading. */
  readonly parent?: { readonly to: string; readonly label: string }
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Tables and editors use the whole width. */
  readonly isWide?: boolean
}

export function Page({ title, about, parent, actions, children, isWide = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Signoff`
  }, [title])
  return (
    <div
      className={classes(
        'mx-auto w-full px-4 pt-6 pb-16 sm:px-8 sm:pt-8',
        isWide ? 'max-w-384' : 'max-w-6xl',
      )}
    >
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          {parent && (
            <Link
              to={parent.to}
              className="mb-1 inline-flex items-center gap-1 text-[0.8125rem] text-muted hover:text-ink"
            >
              <Icon name="chevron-left" size={14} className="rtl:rotate-180" />
              {parent.label}
            </Link>
          )}
          <h1 className="text-2xl leading-8 font-semibold tracking-tight">{title}</h1>
          {about && <p className="mt-1 max-w-2xl text-muted">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly className?: string
}

export const Card = ({ title, about, actions, children, className }: CardProps) => (
  <section className={classes('min-w-0 rounded-2xl border border-line bg-card p-5', className)}>
    {(title || actions) && (
      <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div>
          {title && <h2 className="text-base font-semibold">{title}</h2>}
          {about && <p className="mt-0.5 text-[0.8125rem] text-muted">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
    )}
    {children}
  </section>
)

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** The content of a page before there is anything: what it is for, and the first step. */
export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className="grid justify-items-center rounded-2xl border border-dashed border-edge/50 px-6 py-14 text-center">
    <span className="mb-4 grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent">
      <Icon name={icon} size={24} />
    </span>
    <h2 className="text-base font-semibold">{title}</h2>
    {children && <p className="mt-1 max-w-md text-muted">{children}</p>}
    {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)

/** A part of a page that could not be loaded. */
export function LoadError({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useTranslations('shell')
  const messageOf = useMessageOf()
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-bad/30 bg-bad-soft p-4 text-bad"
    >
      <Icon name="triangle-alert" size={18} />
      <p className="min-w-0 flex-1">
        <strong className="block font-medium">{t('loadFailed')}</strong>
        <span className="text-[0.8125rem]">{messageOf(error)}</span>
      </p>
      {onRetry && (
        <Button isSmall onPress={onRetry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  )
}

interface LoadStateProps {
  readonly query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown }
  readonly lines?: number
}

/** In place of what a query has not read yet, and above it after a failure. */
export const LoadState = ({ query: { data, error, refetch }, lines }: LoadStateProps) =>
  error ? (
    <LoadError error={error} onRetry={() => void refetch()} />
  ) : (
    !data && <Skeleton {...(lines !== undefined && { lines })} />
  )

/** Grey lines while something loads for the first time. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div aria-hidden="true" className="grid gap-3">
    {Array.from({ length: lines }, (_, index) => (
      <div
        key={index}
        className="h-4 animate-pulse rounded bg-sunken"
        style={{ width: `${100 - ((index * 17) % 45)}%` }}
      />
    ))}
  </div>
)

const badgeVariants = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const

export type BadgeVariant = keyof typeof badgeVariants

export const Badge = ({
  variant = 'neutral',
  children,
}: {
  readonly variant?: BadgeVariant
  readonly children: ReactNode
}) => (
  <span
    className={classes(
      'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
      badgeVariants[variant],
    )}
  >
    {children}
  </span>
)

const noticeIcons = {
  info: 'info',
  good: 'circle-check',
  warn: 'triangle-alert',
  bad: 'circle-alert',
} as const
const noticeVariants = {
  info: 'bg-sunken text-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const

export const Notice = ({
  kind = 'info',
  children,
}: {
  readonly kind?: keyof typeof noticeIcons
  readonly children: ReactNode
}) => (
  <div
    className={classes(
      'flex items-start gap-2.5 rounded-xl px-3.5 py-2.5 text-[0.8125rem]',
      noticeVariants[kind],
    )}
  >
    <Icon name={noticeIcons[kind]} className="mt-0.5" />
    <div className="min-w-0">{children}</div>
  </div>
)
