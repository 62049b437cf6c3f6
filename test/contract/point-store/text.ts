import { describe, expect, it } from 'vitest';
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

    it('keeps every script and finds its words', async () => {
      const samples = Object.entries(TEXTS).map(
        ([id, text]): Sample => ({ id, chunks: [text], intents: [text], record: { title: text } }),
      );
      await store().write(samples.map((sample) => changeOf(sample)));
      for (const [id, text] of Object.entries(TEXTS)) {
        expect((await store().getSession(id))?.title).toBe(text);
        expect((await store().getChunks(id))[0]?.content).toBe(text);
        const lists = await store().search({
          tokens: tokensOf(text),
          vector: null,
          filter: {},
          limits: LIMITS,
        });
        expect(lists.sessionsByWords?.[0]?.session_id).toBe(id);
        expect(lists.chunksByWords?.[0]?.session_id).toBe(id);
      }
    });

    it('keeps lines, controls and NUL', async () => {
      const text = 'USER: a\r\n\tb\u0000c\u001b[31m\u2028\\ "quoted" \'single\' {"json":[1]}\n';
      const sample: Sample = {
        id: 's',
        chunks: [text],
        intents: [text],
        record: { title: text, files_touched: [text], commits: [{ hash: 'a1', subject: text }] },
      };
      await store().write([changeOf(sample)]);
      expect((await store().getChunks('s'))[0]?.content).toBe(text);
      expect(await store().getSession('s')).toMatchObject({
        title: text,
        files_touched: [text],
        commits: [{ hash: 'a1', subject: text }],
      });
    });

    it('takes text with half a surrogate pair, and gives it back as well as it can', async () => {
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
      expect((await store().getSession('s'))?.title.toWellFormed()).toBe(broken.toWellFormed());
      await store().setTags('s', ['x\ud800y']);
      expect((await store().getSession('s'))?.tags.map((tag) => tag.toWellFormed())).toEqual(['x\ufffdy']);
      expect(await store().getSession('next')).not.toBeNull();
      const lists = await store().search({
        tokens: tokensOf('before after'),
        vector: null,
        filter: {},
        limits: LIMITS,
      });
      expect(lists.chunksByWords?.map(({ session_id }) => session_id)).toEqual(['s']);
    });

    it('takes a chunk of 200,000 characters and one of none', async () => {
      const long = 'lorem ipsum '.repeat(17_000);
      await store().write([changeOf({ id: 's', chunks: [long, ''], intents: [''] })]);
      await embedAll(store());
      expect((await store().getChunks('s')).map(({ content }) => content.length)).toEqual([long.length, 0]);
      expect(await store().countWithoutVector()).toEqual({ intents: 0, chunks: 0 });
    });
  });
}
