// What the pages of one signature share: name, state, tabs, and the buttons that concern it as a whole.
import type { Signature } from '@signoff/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { PublishDialog } from '#records/publishing/publish-dialog.tsx'
import type { PickedAddress } from '#records/signatures/example-person.ts'
import { signaturePath, signatureQuery, stateOfSignature } from '#records/signatures/signature-data.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Notice, Page } from '#ui/layout/page.tsx'
import { TabLinks } from '#ui/layout/tabs.tsx'
import { PersonPicker } from './person-picker.tsx'
import { UnsavedRules } from './recipients/unsaved-rules.tsx'
import type { RuleEdits } from './recipients/use-rule-edits.ts'
import { SignatureMenu } from './signature-menu.tsx'
import { SignatureBadge } from './state-badge.tsx'

interface TestMailDialogProps {
  readonly signature: Signature
  readonly onClose: () => void
}

function TestMailDialog({ signature, onClose }: TestMailDialogProps) {
  const t = useTranslations('signatures')
  const me = useMe()
  const [person, setPerson] = useState<PickedAddress>()
  const send = (form: FormData) => {
    const to = String(form.get('to'))
      .split(/[\s,;]+/)
      .filter(Boolean)
    return api.signatures.sendTestEmail(signature.id, {
      to,
      ...(person && { email_id: person.emailId }),
    })
  }
  return (
    <FormDialog
      title={t('sendTest')}
      onClose={onClose}
      size="small"
      onSubmit={send}
      onDone={({ sent_to }) => {
        toast(t('testSent', { to: sent_to }))
        onClose()
      }}
      action={t('send')}
      icon="send"
    >
      <TextField
        label={t('testTo')}
        name="to"
        defaultValue={me.account.email}
        hint={t('testToHint')}
        isRequired
      />
      <PersonPicker label={t('testAs')} value={person} onChange={setPerson} />
    </FormDialog>
  )
}

export function useSignature(): Signature {
  const { id } = useParams({ strict: false }) as { id: string }
  return useSuspenseQuery(signatureQuery(id)).data
}

function Standing({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const now = useNow({ updateInterval: 5_000 })
  const { last_published_at: published } = signature
  const state = stateOfSignature(signature, signature.has_unpublished_changes)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <SignatureBadge state={state} />
      {published === null
        ? t('neverPublished')
        : t(state === 'inactive' ? 'lastPublishedAt' : 'publishedAt', {
            when: format.relativeTime(new Date(published), Math.max(now.getTime(), Date.parse(published))),
          })}
    </span>
  )
}

/** A manager's publish that waits for an owner or admin. */
function PendingRequest({ signatureId }: { readonly signatureId: string }) {
  const t = useTranslations('signatures')
  const { data = [] } = useQuery({
    queryKey: ['signatures', 'requests', signatureId],
    queryFn: () => api.publicationRequests.list({ signature_id: signatureId, status: 'pending', limit: 10 }),
  })
  const [request] = data
  if (!request) return null
  return (
    <div className="mb-5">
      <Notice kind={request.stale ? 'warn' : 'info'}>
        {t(request.stale ? 'requestStale' : 'requestPending', {
          name: request.requested_by?.name ?? request.requested_by?.email ?? '–',
        })}
      </Notice>
    </div>
  )
}

interface SignatureLayoutProps {
  /** The rules that are edited on the page: a publish asks whether to save them first. */
  readonly rules?: RuleEdits
  readonly children: ReactNode
}

export function SignatureLayout({ rules, children }: SignatureLayoutProps) {
  const signature = useSignature()
  const t = useTranslations('signatures')
  const can = useCan()
  const [open, setOpen] = useState<'publish' | 'unsavedRules' | 'test'>()
  const state = stateOfSignature(signature, signature.has_unpublished_changes)
  const canPublish = can('signatures:write') && state !== 'live'
  const path = signaturePath(signature.id)
  return (
    <Page
      title={signature.name}
      parent={{ to: signaturePath(), label: t('title') }}
      about={<Standing signature={signature} />}
      actions={
        <>
          {can('signatures:write') && (
            <LinkButton to={`${path}/edit`} icon="pen-line">
              {t('edit')}
            </LinkButton>
          )}
          {can('signatures:write') && (
            <Button icon="send" onPress={() => setOpen('test')}>
              {t('sendTest')}
            </Button>
          )}
          {canPublish && (
            <Button
              variant="primary"
              icon="rocket"
              onPress={() => setOpen(rules && rules.stand !== 'saved' ? 'unsavedRules' : 'publish')}
            >
              {t(`publishAs.${state}`)}
            </Button>
          )}
          <SignatureMenu signature={signature} isOnOwnPage />
        </>
      }
    >
      <TabLinks
        label={signature.name}
        links={[
          { to: path, label: t('tabs.preview') },
          { to: `${path}/recipients`, label: t('tabs.recipients') },
          { to: `${path}/versions`, label: t('tabs.versions') },
        ]}
      />
      <PendingRequest signatureId={signature.id} />
      {children}
      {open === 'unsavedRules' && rules && (
        <UnsavedRules rules={rules} onPublish={() => setOpen('publish')} onClose={() => setOpen(undefined)} />
      )}
      {open === 'publish' && (
        <PublishDialog
          signature={signature}
          seen={signature.draft_content ?? signature.content}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'test' && <TestMailDialog signature={signature} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}
