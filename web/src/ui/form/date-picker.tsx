// Day, or day and time, typed or chosen from a calendar. It is large: load it with `lazy`.
import type { CalendarDate, CalendarDateTime } from '@internationalized/date'
import { Button as AriaButton } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar'
import { DateInput, DateSegment } from 'react-aria-components/DateField'
import { DatePicker as AriaDatePicker } from 'react-aria-components/DatePicker'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'
import { classes, controlFrame } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'
import { FieldNotes, Label } from './field.tsx'

interface DatePickerProps<Value extends CalendarDate | CalendarDateTime> {
  readonly label: string
  readonly value: Value | null
  readonly onChange: (value: Value | null) => void
  readonly minValue?: Value
  readonly maxValue?: Value
  readonly granularity?: 'day' | 'minute'
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  readonly error?: string | undefined
  readonly hint?: string
}

const stepButton =
  'grid size-8 place-items-center rounded-lg text-muted data-hovered:bg-sunken data-disabled:opacity-40'

const MonthCalendar = () => (
  <Calendar className="p-2">
    <header className="mb-2 flex items-center justify-between">
      <AriaButton slot="previous" className={stepButton}>
        <Icon name="chevron-left" className="rtl:rotate-180" />
      </AriaButton>
      <Heading className="text-sm font-semibold" />
      <AriaButton slot="next" className={stepButton}>
        <Icon name="chevron-right" className="rtl:rotate-180" />
      </AriaButton>
    </header>
    <CalendarGrid>
      <CalendarGridHeader>
        {day => (
          <CalendarHeaderCell className="size-9 text-xs font-medium text-muted">{day}</CalendarHeaderCell>
        )}
      </CalendarGridHeader>
      <CalendarGridBody>
        {date => (
          <CalendarCell
            date={date}
            className="grid size-9 cursor-default place-items-center rounded-lg text-sm tabular-nums outline-none data-disabled:text-muted/60 data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:bg-sunken data-outside-month:hidden data-selected:bg-accent data-selected:text-on-accent"
          />
        )}
      </CalendarGridBody>
    </CalendarGrid>
  </Calendar>
)

export function DatePicker<Value extends CalendarDate | CalendarDateTime>({
  label,
  value,
  onChange,
  granularity = 'day',
  error,
  hint,
  ...rest
}: DatePickerProps<Value>) {
  return (
    <AriaDatePicker<Value>
      {...rest}
      value={value}
      onChange={changed => onChange(changed as Value | null)}
      granularity={granularity}
      shouldForceLeadingZeros
      isInvalid={error !== undefined}
      className="block"
    >
      <Label>{label}</Label>
      <Group className={classes(controlFrame, 'flex items-center gap-1 pe-1 focus-within:border-accent')}>
        <DateInput className="flex flex-1 flex-wrap">
          {segment => (
            <DateSegment
              segment={segment}
              className="rounded px-0.5 tabular-nums outline-none data-focused:bg-accent data-focused:text-on-accent data-placeholder:text-muted data-[type=literal]:px-0"
            />
          )}
        </DateInput>
        <AriaButton className="grid size-7 place-items-center rounded-md text-muted data-hovered:bg-sunken data-focus-visible:outline-2 data-focus-visible:outline-accent">
          <Icon name="calendar" size={15} />
        </AriaButton>
      </Group>
      {error === undefined ? (
        <FieldNotes hint={hint} />
      ) : (
        <span className="mt-1 block text-[0.8125rem] text-bad">{error}</span>
      )}
      <Popover className="rounded-xl border border-line bg-card shadow-floating">
        <AriaDialog className="outline-none">
          <MonthCalendar />
        </AriaDialog>
      </Popover>
    </AriaDatePicker>
  )
}
