// A publish while the rules on the page are not saved: they would decide nothing.
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Actions, DialogFrame } from '#ui/overlay/dialog-frame.tsx'
import type { RuleEdits } from './use-rule-edits.ts'

interface UnsavedRulesProps {
  readonly rules: RuleEdits
  readonly onPublish: () => void
  readonly onClose: () => void
}

export function UnsavedRules({ rules: { stand, save }, onPublish, onClose }: UnsavedRulesProps) {
  const t = useTranslations('signatures')
  const isComplete = stand !== 'incomplete'
  // What stands against the save is shown beside the rules.
  const saveFirst = () => save.mutate(undefined, { onSuccess: onPublish, onError: onClose })
  return (
    <DialogFrame title={t('unsavedRules.title')} onClose={onClose} size="small">
      <p className="text-muted">{t(isComplete ? 'unsavedRules.text' : 'unsavedRules.incomplete')}</p>
      <Actions>
        <Button onPress={onPublish}>{t('unsavedRules.without')}</Button>
        <Button
          variant="primary"
          autoFocus
          isPending={save.isPending}
          onPress={() => (isComplete ? saveFirst() : onClose())}
        >
          {t(isComplete ? 'unsavedRules.save' : 'unsavedRules.complete')}
        </Button>
      </Actions>
    </DialogFrame>
  )
}
