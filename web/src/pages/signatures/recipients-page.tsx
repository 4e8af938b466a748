import type { RecipientRules, RecipientSelection, Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { RuleGroups } from '#records/rules/rule-groups.tsx'
import { RuleMatches } from '#records/rules/rule-matches.tsx'
import { conditionsOf, isRuleComplete } from '#records/rules/rule-model.ts'
import { selectionQuery, useSignatureAction } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/base/button.tsx'
import { EditProblem } from '#ui/feedback/edit-problem.tsx'
import { UnsavedQuestion } from '#ui/feedback/unsaved-question.tsx'
import { Switch } from '#ui/form/choice.tsx'
import { Card, LoadState, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { ByHandCard } from './recipients/by-hand-card.tsx'
import { GroupsCard } from './recipients/groups-card.tsx'
import { RecipientsTable } from './recipients/recipients-table.tsx'
import { type RuleEdits, useRuleEdits } from './recipients/use-rule-edits.ts'
import { SignatureLayout, useSignature } from './signature-layout.tsx'

interface EverybodyCardProps {
  readonly signature: Signature
  readonly selection: RecipientSelection
}

function EverybodyCard({ signature, selection }: EverybodyCardProps) {
  const t = useTranslations('signatures')
  const isReadOnly = !useCan()('signatures:write')
  const [asks, setAsks] = useState(false)
  const { mutate, isPending } = useSignatureAction<RecipientRules>({
    run: rules => api.signatures.recipientRules.set(signature.id, rules),
    done: () => t('recipientsSaved'),
    after: () => setAsks(false),
  })
  // A live signature is installed for all of them at once, so the page asks first.
  const switchEverybody = (everybody: boolean) =>
    everybody && signature.signature_installation_activated ? setAsks(true) : mutate({ everybody })
  return (
    <Card title={t('everybodyTitle')}>
      <div className="grid gap-4">
        <Switch
          label={t('everybody')}
          hint={t('everybodyHint')}
          isSelected={selection.everybody}
          onChange={switchEverybody}
          isDisabled={isReadOnly || isPending}
        />
        <Switch
          label={t('future')}
          hint={t('futureHint')}
          isSelected={selection.assign_to_all_future_emails}
          onChange={isOn => mutate({ assign_to_all_future_emails: isOn })}
          isDisabled={isReadOnly || isPending || selection.everybody}
        />
      </div>
      <ConfirmDialog
        title={t('everybodyAsk')}
        action={t('everybodyDo')}
        isDangerous={false}
        isOpen={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => mutate({ everybody: true })}
        isPending={isPending}
      >
        {t('everybodyAskText')}
      </ConfirmDialog>
    </Card>
  )
}

function RulesCard({ rules: { groups, stand, change, discard, save } }: { readonly rules: RuleEdits }) {
  const t = useTranslations('signatures')
  const canChange = useCan()('signatures:write')
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  const isComplete = isRuleComplete(groups)
  return (
    <Card title={t('rulesTitle')} about={t('rulesAbout')}>
      <div className="grid gap-3">
        <RuleGroups groups={groups} onChange={change} fields={fields} isReadOnly={!canChange} />
        {groups.length > 0 && isComplete && <RuleMatches conditions={conditionsOf(groups)} />}
        {groups.length > 0 && !isComplete && <Notice>{t('ruleIncomplete')}</Notice>}
        <EditProblem
          error={save.error}
          isPending={save.isPending}
          onRetry={() => save.mutate()}
          onReset={save.reset}
        />
        <UnsavedQuestion isDirty={stand !== 'saved'} />
        {canChange && stand !== 'saved' && (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              isDisabled={!isComplete}
              isPending={save.isPending}
              onPress={() => save.mutate()}
            >
              {t('saveRules')}
            </Button>
            <Button onPress={discard}>{t('discard')}</Button>
          </div>
        )}
      </div>
    </Card>
  )
}

export default function RecipientsPage() {
  const signature = useSignature()
  return <Recipients key={signature.id} signature={signature} />
}

function Recipients({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { data: selection, error, refetch } = useQuery(selectionQuery(signature.id))
  const rules = useRuleEdits(signature.id, selection?.conditions)
  const personCount = useQuery({
    queryKey: ['signatures', 'recipients', signature.id, 'shown'],
    queryFn: async () =>
      (await api.teammates.list({ signature_id: signature.id, limit: 1 }).raw()).body.pagination.total_count,
    enabled: can('teammates:read'),
  })
  return (
    <SignatureLayout rules={rules}>
      <LoadState query={{ data: selection, error, refetch }} lines={8} />
      {selection && (
        <div className="grid grid-cols-1 gap-5">
          <p className="text-base" role="status">
            <strong className="font-semibold">
              {t('reaches', { count: selection.matching_emails_count })}
            </strong>{' '}
            <span className="text-muted">
              {personCount.data !== undefined && t('shownTo', { count: personCount.data })}
            </span>
          </p>
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
            <EverybodyCard signature={signature} selection={selection} />
            <GroupsCard signatureId={signature.id} selection={selection} />
            <ByHandCard signatureId={signature.id} selection={selection} />
          </div>
          <RulesCard rules={rules} />
          <RecipientsTable signature={signature} hasManual={selection.email_ids_count > 0} />
        </div>
      )}
    </SignatureLayout>
  )
}
