import type { RelayMessage } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { Badge, type BadgeLook } from '#ui/page.tsx'
import { type Column, Table } from '#ui/table.tsx'

export type MessageOutcome = RelayMessage['outcome']
export const outcomes: readonly MessageOutcome[] = ['stamped', 'passed', 'deferred', 'rejected']

const looks: Readonly<Record<MessageOutcome, BadgeLook>> = {
  stamped: 'good',
  passed: 'neutral',
  deferred: 'warn',
  rejected: 'bad',
}

/** A mail can have 100 recipients. */
const maxNames = 3

/** Addresses where the workspace keeps them, else domains. */
function useRouteOf(): (message: RelayMessage) => { readonly from: string; readonly to: string } {
  const t = useTranslations('integrations.relay')
  const format = useFormatter()
  return ({ sender_address, sender_domain, recipient_addresses, recipient_domains }) => {
    const names = recipient_addresses ?? recipient_domains
    const more = names.length - maxNames
    const shown = [...names.slice(0, maxNames), ...(more > 0 ? [t('moreNames', { count: more })] : [])]
    return {
      from: sender_address ?? sender_domain ?? t('noSender'),
      to: shown.length === 0 ? '–' : format.list(shown, { type: 'unit' }),
    }
  }
}

/** Reasons without an own text are shown as they are. */
function useReasonText(): (message: RelayMessage) => string {
  const t = useTranslations('integrations.relay')
  return ({ reason, status }) => {
    if (reason === null) return ''
    const key = `reasons.${reason}` as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as 'reasons.next_hop', { status: String(status) }) : reason
  }
}

function useMessageColumns(): readonly Column<RelayMessage>[] {
  const t = useTranslations('integrations.relay')
  const format = useFormatter()
  const routeOf = useRouteOf()
  const reasonOf = useReasonText()
  const timeOf = ({ milliseconds }: RelayMessage) => t('milliseconds', { count: milliseconds })
  return [
    {
      id: 'when',
      title: t('columns.when'),
      cell: message => (
        <time dateTime={message.created_at} className="whitespace-nowrap">
          {format.dateTime(new Date(message.created_at), { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      ),
      isSecondary: true,
    },
    {
      id: 'route',
      title: t('columns.route'),
      cell: message => {
        const { from, to } = routeOf(message)
        return (
          <>
            <span className="block break-words">{from}</span>
            <span className="block text-[0.8125rem] break-words text-muted">{t('to', { to })}</span>
            <span className="block text-[0.8125rem] text-muted sm:hidden">
              {format.dateTime(new Date(message.created_at), { dateStyle: 'short', timeStyle: 'short' })},{' '}
              {timeOf(message)}
            </span>
          </>
        )
      },
    },
    {
      id: 'outcome',
      title: t('columns.outcome'),
      cell: message => (
        <>
          <Badge look={looks[message.outcome]}>{t(`outcomes.${message.outcome}`)}</Badge>
          {message.reason !== null && (
            <span className="mt-1 block text-[0.8125rem] text-muted">{reasonOf(message)}</span>
          )}
        </>
      ),
    },
    { id: 'time', title: t('columns.time'), cell: timeOf, isNumber: true, isSecondary: true },
  ]
}

export function RelayMessageTable({ messages }: { readonly messages: readonly RelayMessage[] }) {
  const t = useTranslations('integrations.relay')
  return <Table label={t('title')} columns={useMessageColumns()} rows={messages} keyOf={({ id }) => id} />
}
