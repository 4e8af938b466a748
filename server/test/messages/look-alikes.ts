// Text of the sender that looks like a quote: the signature stands at the end.
import { alternative, type CorpusMessage, html, mail, reply, text } from './builder.ts'

const both = (plain: string, rich: string) => alternative(text(plain), html(rich))

export const lookAlikes: readonly CorpusMessage[] = [
  mail(
    'a journey with labels',
    both(
      'From: Berlin\nTo: Paris\nDate: 5 May 2027\n\nCan you book it?\n¶',
      '<p>From: Berlin<br>To: Paris<br>Date: 5 May 2027</p><p>Can you book it?</p>¶',
    ),
  ),
  mail(
    'a list with dashes',
    both(
      '----- Agenda -----\nOpening: 10:00\n----- Dates -----\nNone\n¶',
      '<p>----- Agenda -----</p><p>Opening: 10:00</p><p>----- Dates -----</p><p>None</p>¶',
    ),
  ),
  mail(
    'an indented paragraph',
    both(
      'As agreed:\n    one\n    two\nBye\n¶',
      '<div>As agreed:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>one</div><div>two</div></blockquote><div>Bye</div>¶',
    ),
  ),
  mail(
    'a book that is cited',
    both(
      'In 1843 she wrote:\nThe engine weaves algebraic patterns.\n¶',
      '<p>In 1843 she wrote:</p><p>The engine weaves algebraic patterns.</p>¶',
    ),
  ),
  mail(
    'a table of values',
    html(
      '<table><tr><td>Subject:</td><td>Numbers</td></tr><tr><td>To:</td><td>all</td></tr></table><p>See above.</p>¶',
    ),
  ),
  mail(
    'a line across the page',
    both('One\n________________________________\nTwo\n¶', '<p>One</p><hr><p>Two</p>¶'),
  ),
  mail('a table in text', text('The numbers:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n¶')),
  mail('a command of a shell', text('Run this:\n\n> npm start\n¶')),
  mail('a command, and words below it', text('Run this:\n> npm start\nBye\n¶')),
  reply('a table in a reply', text('The numbers:\n| a | b |\n| 1 | 2 |\n¶')),
  reply('a quote with bars', text('Yes.\n¶\n| Is it so?\n')),
  mail('an answer without references', text('Yes.\n¶\n> Is it so?\n'), {
    subject: 'AW: So',
    isReply: true,
  }),
  mail('an arrow', both('-> first\n=> second\n¶', '<p>-&gt; first</p><p>=&gt; second</p>¶')),
  mail(
    'a box with the colour of Outlook',
    html('<div style="border:1px solid #E1E1E1;padding:3pt">Price list</div><p>Bye</p>¶'),
  ),
  mail(
    'names of the marks in the text',
    html('<p>The class gmail_quote and the id divRplyFwdMsg mark a quote.</p><p>Bye</p>¶'),
  ),
  reply('a reply without a quote', both('Thanks!\n¶', '<div dir="ltr">Thanks!</div>¶')),
  reply(
    'two dashes below the quote, without a class',
    html(
      '<div>It does.</div>¶<br><div class="gmail_quote">On Nov 16, 2012 at 9:41 AM, Bob wrote:<br><blockquote class="gmail_quote">runs</blockquote></div><br>-- <br>Ada<br>Countess',
    ),
  ),
  reply(
    'a reply to a reply in another client',
    both(
      'Three.\n¶\n16.11.2026, 09:41, "Bob" <bob@example.org>:\n\n> Two.\n> On Sun, Nov 15, 2026 at 9:41 AM Ada wrote:\n>> One.\n',
      '<div>Three.</div>¶<div> </div><div>16.11.2026, 09:41, "Bob" &lt;bob@example.org&gt;:</div><blockquote><div>Two.</div><div class="gmail_quote">On Sun wrote:<blockquote class="gmail_quote">One.</blockquote></div></blockquote>',
    ),
  ),
]
