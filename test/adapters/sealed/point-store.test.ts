import { AVERAGE_LENGTH } from '../../../src/adapters/qdrant/schema/sparse.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { isSlow } from '../../support/campaign.ts';
import { sealedDoublePlace, sealedSqlitePlace } from './places.ts';

// Only data on a server is sealed.
if (isSlow) describePointStore('A sealed SQLite', sealedSqlitePlace);
describePointStore('A sealed Qdrant (double)', sealedDoublePlace, { averages: AVERAGE_LENGTH });
