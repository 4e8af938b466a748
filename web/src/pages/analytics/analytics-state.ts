// The range and the filters of the page. They live in the address, so that a view can be sent to a colleague.
import { useAddressState } from '#state/address-state.ts'
import { type Metric, metrics } from '#ui/chart/metric-tiles.tsx'
import { dayOfText, textOfDay, wholeWeeks } from '#ui/form/days.ts'

export const rangePresets = ['week', 'month', 'quarter', 'year', 'custom'] as const
export type RangePreset = (typeof rangePresets)[number]

const presetDays = { week: 7, month: 30, quarter: 90, year: 365 } as const

/** Names in the address, and the filters of the API. */
const apiFilters = {
  signature: 'signature_template_id',
  campaign: 'marketing_campaign_id',
  person: 'teammate_id',
  country: 'country',
  link: 'anchor_id',
} as const

export type FilterName = keyof typeof apiFilters
const filterNames = Object.keys(apiFilters) as readonly FilterName[]

/** The dimension of the API for each filter. */
export const dimensionOf = {
  signature: 'signature_template',
  campaign: 'marketing_campaign',
  person: 'teammate',
  country: 'country',
  link: 'anchor',
} as const satisfies Record<FilterName, string>

export interface AnalyticsPeriod {
  readonly start_date: string
  readonly end_date: string
}

type ApiFilters = Readonly<Partial<Record<(typeof apiFilters)[FilterName], string>>>

export interface AnalyticsState {
  readonly preset: RangePreset
  readonly period: AnalyticsPeriod
  /** As long, and whole weeks earlier: a Tuesday is compared with a Tuesday. */
  readonly before: AnalyticsPeriod
  readonly interval: 'day' | 'week' | 'month'
  readonly metric: Metric
  readonly filters: Readonly<Partial<Record<FilterName, string>>>
  readonly query: ApiFilters
  readonly change: (values: Readonly<Partial<Record<AddressName, string | undefined>>>) => void
}

type AddressName = FilterName | 'range' | 'from' | 'to' | 'metric'

/** Longer ranges than 10 years are refused: a page could not draw them. */
const maxDays = 3_660

function daysOf(preset: RangePreset, from = '', to = ''): readonly [number, number] {
  const today = dayOfText(new Date().toISOString().slice(0, 10)) ?? 0
  const [first, last] = [dayOfText(from), dayOfText(to)]
  if (preset === 'custom' && first !== undefined && last !== undefined && first <= last)
    return [Math.max(first, last - maxDays), last]
  return [today - presetDays[preset === 'custom' ? 'month' : preset] + 1, today]
}

export const apiFilterOf = (name: FilterName, value: string): ApiFilters => ({ [apiFilters[name]]: value })

export function useAnalyticsState(): AnalyticsState {
  const [address, change] = useAddressState<AddressName>()
  const preset = rangePresets.find(each => each === address.range) ?? 'month'
  const [first, last] = daysOf(preset, address.from, address.to)
  const length = last - first + 1
  const earlier = wholeWeeks(length)
  const filters = Object.fromEntries(
    filterNames.filter(name => address[name]).map(name => [name, address[name]]),
  ) as AnalyticsState['filters']
  const query = Object.assign(
    {},
    ...Object.entries(filters).map(([name, value]) => apiFilterOf(name as FilterName, value)),
  )
  return {
    preset,
    period: { start_date: textOfDay(first), end_date: textOfDay(last) },
    before: { start_date: textOfDay(first - earlier), end_date: textOfDay(last - earlier) },
    interval: length <= 92 ? 'day' : length <= 730 ? 'week' : 'month',
    metric: metrics.find(each => each === address.metric) ?? 'views',
    filters,
    query,
    change,
  }
}

/** The metric that orders the rows. A link is clicked; it has no views of its own. */
export const barMetricOf = (name: FilterName, { metric }: AnalyticsState): 'views' | 'clicks' =>
  metric === 'clicks' || name === 'link' ? 'clicks' : 'views'
