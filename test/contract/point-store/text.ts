import { describe, expect, it } from 'vitest';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { countWaiting, searchLists } from '../../support/stores/ask-store.ts';
import { changeOf, type Sample, tokensOf } from '../../support/transcripts/sample-sessions.ts';
import { embedAll, type MakePlace, useStore } from './use-store.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const TEXTS = {
  Chinese: '数据库迁移失败了，请修复索引',
  Japanese: 'データベースの移行に失敗しました',
  Korean: '데이터베이스 마이그레이션 실패',
  Arabic: 'فشل ترحيل قاعدة البيانات',
  Thai: 'การย้ายฐานข้อมูลล้มเหลว',
  emoji: 'deploy 🚀 failed 👩‍👩‍👧‍👦 again',
  accents: 'Überprüfung der façade naïve',
  astral: 'mathematical 𝔸𝔹ℂ letters',
};

export function describeText(make: MakePlace): void {
  describe('text', () => {
    const store = useStore(make);

    it('stores and finds text in every script', async () => {
      const samples = Object.entries(TEXTS).map(
        ([id, text]): Sample => ({ id, chunks: [text], intents: [text], record: { title: text } }),
      );
      await store().write(samples.map((sample) => changeOf(sample)));
      for (const [id, text] of Object.entries(TEXTS)) {
        expect((await getSession(store(), id))?.title).toBe(text);
        expect((await store().getChunks(id))[0]?.content).toBe(text);
        const lists = await searchLists(store(), {
          tokens: tokensOf(text),
          vector: null,
          filter: {},
          limits: LIMITS,
        });
        expect(lists.sessionsByWords?.[0]?.session_id).toBe(id);
        expect(lists.chunksByWords?.[0]?.session_id).toBe(id);
      }
    });

    it('stores line breaks, control characters and NUL', async () => {
      const text = 'USER: a\r\n\tb\u0000c\u001b[31m\u2028\\ "quoted" \'single\' {"json":[1]}\n';
      const sample: Sample = {
        id: 's',
        chunks: [text],
        intents: [text],
        record: { title: text, files_touched: [text], commits: [{ hash: 'a1', subject: text }] },
      };
      await store().write([changeOf(sample)]);
      expect((await store().getChunks('s'))[0]?.content).toBe(text);
      expect(await getSession(store(), 's')).toMatchObject({
        title: text,
        files_touched: [text],
        commits: [{ hash: 'a1', subject: text }],
      });
    });

    it('stores text with a lone surrogate as well as possible', async () => {
      const broken = 'before \ud83d after';
      const sample: Sample = {
        id: 's',
        chunks: [broken, 'fine'],
        intents: [broken],
        record: { title: broken, tags: ['t\udc00'] },
      };
      expect(await store().write([changeOf(sample), changeOf({ id: 'next', chunks: ['whole'] })])).toEqual({
        conflicts: [],
      });
      expect((await store().getChunks('s')).map(({ content }) => content.toWellFormed())).toEqual([
        broken.toWellFormed(),
        'fine',
      ]);
      expect((await getSession(store(), 's'))?.title.toWellFormed()).toBe(broken.toWellFormed());
      await store().setTags('s', ['x\ud800y']);
      expect((await getSession(store(), 's'))?.tags.map((tag) => tag.toWellFormed())).toEqual(['x\ufffdy']);
      expect(await getSession(store(), 'next')).not.toBeNull();
      const lists = await searchLists(store(), {
        tokens: tokensOf('before after'),
        vector: null,
        filter: {},
        limits: LIMITS,
      });
      expect(lists.chunksByWords?.map(({ session_id }) => session_id)).toEqual(['s']);
    });

    it('stores a chunk of 200,000 characters and an empty one', async () => {
      const long = 'lorem ipsum '.repeat(17_000);
      await store().write([changeOf({ id: 's', chunks: [long, ''], intents: [''] })]);
      await embedAll(store());
      expect((await store().getChunks('s')).map(({ content }) => content.length)).toEqual([long.length, 0]);
      expect(await countWaiting(store())).toEqual({ intents: 0, chunks: 0 });
    });
  });
}
