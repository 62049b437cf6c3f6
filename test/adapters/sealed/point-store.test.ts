import { AVERAGE_LENGTH } from '../../../src/adapters/qdrant/schema/sparse.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { sealedDoublePlace, sealedSqlitePlace } from './places.ts';

describePointStore('A sealed SQLite', sealedSqlitePlace);
describePointStore('A sealed Qdrant (double)', sealedDoublePlace, { averages: AVERAGE_LENGTH });
