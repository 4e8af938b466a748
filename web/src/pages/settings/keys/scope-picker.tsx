// What a key may do: everything, reading, or single permissions by resource.
import { useTranslations } from 'use-intl'
import type { Scope } from '#api/client.ts'
import { useMe } from '#api/session.tsx'
import { Checkbox, RadioChoice } from '#ui/form/choice.tsx'
import { actions, resources, scopeOf } from './scopes.ts'

export type Preset = 'all' | 'read' | 'chosen'

interface ScopePickerProps {
  readonly preset: Preset
  readonly onPreset: (preset: Preset) => void
  readonly chosen: readonly Scope[]
  readonly onChosen: (scopes: readonly Scope[]) => void
}

function ScopeTable({ chosen, onChosen }: Pick<ScopePickerProps, 'chosen' | 'onChosen'>) {
  const t = useTranslations('settings.keys')
  const { scopes } = useMe()
  const set = (scope: Scope, isSelected: boolean) =>
    onChosen(isSelected ? [...chosen, scope] : chosen.filter(each => each !== scope))
  const rows = resources.filter(resource =>
    actions.some(action => scopes.includes(scopeOf(resource, action))),
  )
  return (
    <div className="max-h-80 overflow-y-auto rounded-xl border border-line">
      <table className="w-full text-sm">
        <caption className="sr-only">{t('scopes')}</caption>
        <thead className="sticky top-0 bg-card">
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="px-3 py-2 text-start font-medium">
              {t('resource')}
            </th>
            {actions.map(action => (
              <th key={action} scope="col" className="px-2 py-2 font-medium">
                {t(`actions.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(resource => (
            <tr key={resource} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-1.5 text-start font-normal">
                {t(`resources.${resource}`)}
              </th>
              {actions.map(action => {
                const scope = scopeOf(resource, action)
                return (
                  <td key={action} className="px-2 py-1">
                    {scopes.includes(scope) && (
                      <Checkbox
                        aria-label={`${t(`resources.${resource}`)}: ${t(`actions.${action}`)}`}
                        isSelected={chosen.includes(scope)}
                        onChange={isSelected => set(scope, isSelected)}
                        className="justify-center p-1"
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function ScopePicker({ preset, onPreset, chosen, onChosen }: ScopePickerProps) {
  const t = useTranslations('settings.keys')
  return (
    <div className="grid gap-3">
      <RadioChoice
        label={t('scopes')}
        value={preset}
        onChange={onPreset}
        options={[
          { id: 'read', label: t('presetRead'), hint: t('presetReadHint') },
          { id: 'all', label: t('presetAll'), hint: t('presetAllHint') },
          { id: 'chosen', label: t('presetChosen'), hint: t('presetChosenHint') },
        ]}
      />
      {preset === 'chosen' && <ScopeTable chosen={chosen} onChosen={onChosen} />}
    </div>
  )
}
