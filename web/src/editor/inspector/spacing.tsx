// The space inside and outside of a block, edge by edge, as two boxes.
import { useTranslations } from 'use-intl'
import { NumberInput } from '../inputs/number-input.tsx'

const edges = ['Top', 'Right', 'Bottom', 'Left'] as const
const groups = ['padding', 'margin'] as const
const positions = [
  'col-start-2 row-start-1',
  'col-start-3 row-start-2',
  'col-start-2 row-start-3',
  'col-start-1 row-start-2',
]

interface SpacingProps {
  readonly style: Readonly<Record<string, unknown>>
  /** The space inside, from the top clockwise, of a block that says nothing about it. */
  readonly defaultPadding?: readonly number[]
  readonly onChange: (style: Readonly<Record<string, number | undefined>>, key: string) => void
}

export function Spacing({ style, defaultPadding = [0, 0, 0, 0], onChange }: SpacingProps) {
  const t = useTranslations('editor.properties')
  const inspector = useTranslations('editor.inspector')
  const isPadded = edges.some(edge => style[`padding${edge}`] !== undefined)
  const standard = (group: (typeof groups)[number], index: number): number =>
    group === 'padding' && !isPadded ? (defaultPadding[index] ?? 0) : 0
  // The first edge that is set ends the standard of all four: the others keep what they look like.
  const others = Object.fromEntries(
    edges.map((edge, index) => [`padding${edge}`, standard('padding', index) || undefined]),
  )
  return (
    <div className="grid gap-3">
      {groups.map(group => (
        <fieldset key={group}>
          <legend className="mb-1 text-[0.8125rem] font-medium">{inspector(group)}</legend>
          <div className="grid grid-cols-3 gap-1 rounded-xl bg-sunken p-1.5">
            {edges.map((edge, index) => {
              const name = `${group}${edge}` as const
              return (
                <div key={edge} className={positions[index]}>
                  <NumberInput
                    label={t(name)}
                    isLabelHidden
                    value={style[name] as number | undefined}
                    minimum={0}
                    maximum={2_000}
                    placeholder={String(standard(group, index))}
                    onChange={value =>
                      onChange({ ...(group === 'padding' && !isPadded && others), [name]: value }, name)
                    }
                  />
                </div>
              )
            })}
          </div>
        </fieldset>
      ))}
    </div>
  )
}
